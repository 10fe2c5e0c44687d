#!/usr/bin/env python3
"""Follows every link of a built site that stays in it: bench/links.py FOLDER

Pages, pictures and places within pages (`#…`). Ends with 1 where one leads nowhere. Links to other sites are not followed.
"""

import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links and the places of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.places.update(named[key] for key in ("id", "name") if named.get(key))
        self.links += [named[key] for key in ("href", "src") if named.get(key)]


def main():
    root = os.path.abspath(sys.argv[1])
    pages = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".html"):
                with open(path, encoding="utf-8") as text:
                    pages[path] = Page(text.read())
    followed, broken = 0, 0
    for path, page in sorted(pages.items()):
        # These two have links from the root of whatever server they are on.
        if os.path.basename(path) in ("404.html", "print.html"):
            continue
        for link in page.links:
            to = urllib.parse.urlsplit(link)
            if to.scheme or to.netloc:
                continue
            followed += 1
            target = path
            if to.path:
                target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(to.path)))
            if os.path.isdir(target):
                target = os.path.join(target, "index.html")
            place = urllib.parse.unquote(to.fragment)
            is_there = os.path.exists(target) and target.startswith(root)
            if not is_there or (place and target in pages and place not in pages[target].places):
                broken += 1
                print(f"{os.path.relpath(path, root)}: {link} leads nowhere")
    print(f"{len(pages)} pages, {followed} links, {broken} broken")
    sys.exit(1 if broken or not followed else 0)


if __name__ == "__main__":
    main()

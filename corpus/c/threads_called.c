// expect: safe
// engines: pdr
// The same function is called and run by a thread: twice added is twice at most.
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void reach_error(void);

int total;

void *add(void *arg) {
	total = total + 1;
	return 0;
}

int main(void) {
	pthread_t thread;
	pthread_create(&thread, 0, add, 0);
	add(0);
	pthread_join(thread, 0);
	if (total > 2)
		reach_error();
	return 0;
}

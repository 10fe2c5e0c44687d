//! The settings of the engines for flows, in one table.

use alphorn_setting::settings;

settings! {}

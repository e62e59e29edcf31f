/** What the process creates is for its user alone, also in a folder that others may read: SQLite, say, asks for more. */
process.umask(0o077);

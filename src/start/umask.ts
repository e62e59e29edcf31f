/** Lets only the user of the process access the files it creates, even if a library such as SQLite asks for more. */
process.umask(0o077);

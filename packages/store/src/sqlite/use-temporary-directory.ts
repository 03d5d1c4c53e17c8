/**
 * Lets SQLite put its temporary files, which staged batches can make as large as the data, on the disk of
 * the data. SQLite reads the variable once per process, so this must come before its first use.
 */
export function useTemporaryDirectory(directory: string): void {
  process.env.SQLITE_TMPDIR ??= directory;
}

package postgres

import "context"

// Flush returns the process and the synchronous_commit of a session that writes.
func (s *Store) Flush(ctx context.Context) (pid int, flush string, err error) {
	ask := "select pg_backend_pid(), current_setting('synchronous_commit')"
	err = s.writing.QueryRow(ctx, ask).Scan(&pid, &flush)
	return pid, flush, err
}

package postgres

import "context"

// Setting returns the process of a session that writes, and one of its settings.
func (s *Store) Setting(ctx context.Context, name string) (pid int, value string, err error) {
	err = s.writing.QueryRow(ctx, "select pg_backend_pid(), current_setting($1)", name).Scan(&pid, &value)
	return pid, value, err
}

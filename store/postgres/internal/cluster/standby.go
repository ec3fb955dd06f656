package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Standby makes and starts a standby of a running server, to which that then replicates synchronously: a commit is
// answered when both have it.
func (c *Cluster) Standby(parent string) (*Cluster, error) {
	s, err := newCluster(parent)
	if err != nil {
		return nil, err
	}
	if err := s.Follow(c); err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	return s, nil
}

// Follow makes a cluster that does not run the standby of a running one. What it had is removed.
func (c *Cluster) Follow(primary *Cluster) error {
	if err := os.RemoveAll(c.data()); err != nil {
		return err
	}
	err := c.run(program("pg_basebackup", "--pgdata", c.data(), "--host", primary.folder, "--port",
		strconv.Itoa(primary.port), "--username", "postgres", "--write-recovery-conf", "--checkpoint", "fast", "--no-sync"))
	if err == nil {
		err = c.Start(nil)
	}
	if err == nil {
		err = primary.waitForStandby()
	}
	return err
}

// waitForStandby makes commits wait for the standby, once that is there.
func (c *Cluster) waitForStandby() error {
	const attached = "select exists (select from pg_stat_replication where state = 'streaming')"
	if err := c.until(attached); err != nil {
		return err
	}
	if err := c.execute("alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"); err != nil {
		return err
	}
	return c.until("select exists (select from pg_stat_replication where sync_state = 'sync')")
}

// Promote makes a standby the primary, whose commits wait for no other. pg_promote is told not to wait: its own
// snapshot could hold up the replay that comes before.
func (c *Cluster) Promote() error {
	err := c.execute("alter system reset synchronous_standby_names", "select pg_reload_conf()", "select pg_promote(false)")
	return errors.Join(err, c.until("select not pg_is_in_recovery()"))
}

// until waits until a question is answered with yes.
func (c *Cluster) until(question string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.URL())
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // nothing is lost
	for {
		var yes bool
		if err := conn.QueryRow(ctx, question).Scan(&yes); err != nil {
			return fmt.Errorf("cluster: %s: %w", question, err)
		}
		if yes {
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// execute runs statements, each by itself.
func (c *Cluster) execute(statements ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.URL())
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // nothing is lost
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("cluster: %s: %w", statement, err)
		}
	}
	return nil
}

// URL is how to connect to whichever of several clusters takes writes.
func URL(all ...*Cluster) string {
	hosts, ports := make([]string, len(all)), make([]string, len(all))
	for i, c := range all {
		hosts[i], ports[i] = url.QueryEscape(c.folder), strconv.Itoa(c.port)
	}
	return "postgres:///postgres?user=postgres&target_session_attrs=read-write&port=" + strings.Join(ports, ",") +
		"&host=" + strings.Join(hosts, ",")
}

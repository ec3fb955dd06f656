package guides_test

import (
	"os/exec"
	"syscall"
)

// inGroup starts a command in a group of its own, so that what it starts ends with it: go run starts a program.
func inGroup(run *exec.Cmd) { run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(run *exec.Cmd) { _ = syscall.Kill(-run.Process.Pid, syscall.SIGKILL) }

func endGroup(run *exec.Cmd) {
	killGroup(run)
	_ = run.Wait()
}

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectProcess, inspectWithPs, isPostmasterOf, isStillRunning, listWithPs } from './processes.ts';

test('a live process is distinguished from a dead one and from another with the same pid', async () => {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const childProcess = await inspectProcess(child.pid!);
  assert.equal(childProcess?.commandLine, 'sleep 600');
  assert.equal(await isStillRunning(childProcess), true);
  assert.equal(await isStillRunning({ pid: childProcess.pid, startedAt: 'another time' }), false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(await inspectProcess(child.pid!), null);
  assert.equal(await isStillRunning(childProcess), false);
});

test('a zombie counts as ended', { skip: process.platform !== 'linux' && 'needs /proc' }, async (t) => {
  // `exec` replaces the shell with a sleep, which never reaps the child of the shell.
  const shell = spawn('sh', ['-c', 'sleep 599 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(() => shell.kill('SIGKILL'));
  const [line] = await once(shell.stdout, 'data');
  const childPid = Number(String(line));
  while ((await inspectProcess(shell.pid!))?.commandLine !== 'sleep 600') await sleep(5);
  process.kill(childPid, 'SIGKILL');
  while (await inspectProcess(childPid)) await sleep(5);
  process.kill(childPid, 0); // does not throw, because the zombie still has its pid
});

test('ps, for systems without /proc, gives the same results', async (t) => {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const inspectedProcess = await inspectWithPs(child.pid!);
  assert.equal(inspectedProcess?.commandLine, 'sleep 600');
  assert.match(inspectedProcess.startedAt, /\d\d:\d\d:\d\d/);
  assert.deepEqual(await inspectWithPs(child.pid!), inspectedProcess);
  assert.deepEqual(
    (await listWithPs(['-A'])).find(({ pid }) => pid === child.pid),
    inspectedProcess,
  );
  const unusedPid = 2 ** 22 + 1; // greater than the largest pid of Linux
  assert.equal(await inspectWithPs(unusedPid), null);
});

test('only the postmaster of the same cluster is recognized', () => {
  const candidate = { pid: 1, startedAt: '', cwd: null };
  const isRecognized = (commandLine: string, cwd: string | null = null) =>
    isPostmasterOf('/srv/a b', { ...candidate, commandLine, cwd });
  assert.equal(isRecognized('/opt/bin/postgres -D /srv/a b -p 5432'), true);
  assert.equal(isRecognized('/opt/bin/postgres -D /srv/a b'), true);
  assert.equal(isRecognized('/opt/bin/postgres -D /srv/a bc -p 5432'), false);
  assert.equal(isRecognized('/opt/bin/postgres -p 5432', '/srv/a b'), true);
  assert.equal(isRecognized('postgres: semana: checkpointer', '/srv/a b'), false);
  assert.equal(isRecognized('vi -D /srv/a b -p 5432', '/srv/a b'), false);
});

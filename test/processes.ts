import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { afterFile } from './after-file.ts';
import { copyCitusDatabase, createCitusDatabase, dropCitusDatabase, isOnCitus } from './citus/database.ts';
import { query } from './query.ts';
import { findPostmasterPid, waitForProcessEnd } from './support/postgres.ts';
import { buildDatabaseUrl } from './template.ts';

export { query } from './query.ts';

export const PROJECT = join(import.meta.dirname, '..');
/** The bundle that run.ts built, or bin/semana.js. */
export const SEMANA = [process.execPath, process.env.TEST_PROGRAM ?? join(PROJECT, 'bin/semana.js')];

export type Environment = Record<string, string>;

/** The environment variables of programs besides the settings; those of the test runner are left out. */
const SHELL: Environment = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? tmpdir() };

export type ProgramOutcome = {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
};

export type Program = {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  outcome: Promise<ProgramOutcome>;
};

/** Starts a program in the project; it is killed at the end of the tests if it still runs. */
export function startProgram(runCli: string[], env: Environment = {}, input?: string): Program {
  const [program, ...args] = runCli;
  const child = spawn(program!, args, { cwd: PROJECT, env: { ...SHELL, ...env }, stdio: 'pipe' });
  afterFile(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end(input);
  const outcome = once(child, 'close').then(
    ([code, signal]) => ({ code, signal, stdout, stderr }) as ProgramOutcome,
  );
  return { child, stdout: () => stdout, stderr: () => stderr, outcome };
}

/** Runs `semana ARGS...` to its end. */
export function runSemana(args: string[], env: Environment = {}, input?: string): Promise<ProgramOutcome> {
  return startProgram([...SEMANA, ...args], env, input).outcome;
}

export type Service = Program & { partnerUrl: string; staffUrl: string; banner: string };

/** Runs `semana start` on free ports; returns when it has printed its banner. */
export async function startService(
  env: Environment,
  runCli: string[] = [...SEMANA, 'start'],
): Promise<Service> {
  const program = launchService(env, runCli);
  return waitForBanner(program);
}

export function launchService(env: Environment, runCli: string[] = [...SEMANA, 'start']): Program {
  return startProgram(runCli, {
    PORT: '0',
    STAFF_PORT: '0',
    PSP_PORT: '0',
    WEB_PORT: 'off',
    OFFICE_PORT: 'off',
    HOST: '127.0.0.1',
    ...env,
  });
}

export async function waitForBanner(program: Program): Promise<Service> {
  const banner = await waitForOutput(program, /Semana is running[\s\S]*Try: .*\n/);
  const [, partnerUrl] = /Partners +(\S+)/.exec(banner) ?? [];
  const [, staffUrl] = /Staff +(\S+)/.exec(banner) ?? [];
  return { ...program, banner, partnerUrl: partnerUrl!, staffUrl: staffUrl! };
}

/** Waits until standard output matches; throws with all output if the program ends without a match. */
export async function waitForOutput(program: Program, pattern: RegExp): Promise<string> {
  for (;;) {
    const match = pattern.exec(program.stdout());
    if (match) return match[0];
    const nextOutput = once(program.child.stdout!, 'data').then(() => undefined);
    const outcome = await Promise.race([nextOutput, program.outcome]);
    if (outcome && !pattern.test(outcome.stdout)) {
      throw new Error(
        `The program ended (${outcome.code ?? outcome.signal}):\n${outcome.stdout}\n${outcome.stderr}`,
      );
    }
  }
}

/** Creates a directory that PostgreSQL's user can enter, too. */
export function createDataDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'semana-process-'));
  chmodSync(directory, 0o755);
  afterFile(async () => {
    const postmasterPid = await findPostmasterPid(directory);
    if (postmasterPid !== null) {
      process.kill(postmasterPid, 'SIGQUIT');
      await waitForProcessEnd(postmasterPid);
    }
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  return directory;
}

/** Creates an empty database on the server of the tests. */
export async function createEmptyDatabase(): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const server = process.env.TEST_DATABASE_URL!;
  if (isOnCitus()) {
    after(() => dropCitusDatabase(server, name));
    return createCitusDatabase(server, name);
  }
  await query(server, `create database ${name}`);
  after(() => query(server, `drop database ${name} with (force)`));
  return buildDatabaseUrl(server, name);
}

/** Copies the database with the demo data, which is much faster than having the service write it. */
export async function copyDemoDatabase(): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const server = process.env.TEST_DATABASE_URL!;
  if (isOnCitus()) {
    after(() => dropCitusDatabase(server, name));
    return copyCitusDatabase(server, 'semana_demo', name);
  }
  await query(server, `create database ${name} template semana_demo strategy file_copy`);
  after(() => query(server, `drop database ${name} with (force)`));
  return buildDatabaseUrl(server, name);
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

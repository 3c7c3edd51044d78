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
/** The bundle that run.ts made, or bin/semana.js. */
export const SEMANA = [process.execPath, process.env.TEST_PROGRAM ?? join(PROJECT, 'bin/semana.js')];

export type Environment = Record<string, string>;

/** The environment beside the settings, without the test runner's own variables. */
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
export function startProgram(pattern: string[], env: Environment = {}, input?: string): Program {
  const [program, ...args] = pattern;
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
  const ended = once(child, 'close').then(
    ([code, signal]) => ({ code, signal, stdout, stderr }) as ProgramOutcome,
  );
  return { child, stdout: () => stdout, stderr: () => stderr, outcome: ended };
}

/** `semana WORDS...`, to its end. */
export function runSemana(pattern: string[], env: Environment = {}, input?: string): Promise<ProgramOutcome> {
  return startProgram([...SEMANA, ...pattern], env, input).outcome;
}

export type Service = Program & { partnerUrl: string; staffUrl: string; banner: string };

/** Runs `semana start` on free ports; returns when it says that it is running. */
export async function startService(
  env: Environment,
  pattern: string[] = [...SEMANA, 'start'],
): Promise<Service> {
  const program = launchService(env, pattern);
  return waitForBanner(program);
}

export function launchService(env: Environment, pattern: string[] = [...SEMANA, 'start']): Program {
  return startProgram(pattern, {
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

/** Waits for words on standard output; throws with all output if the program ends without them. */
export async function waitForOutput(program: Program, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(program.stdout());
    if (found) return found[0];
    const nextOutput = once(program.child.stdout!, 'data').then(() => undefined);
    const ended = await Promise.race([nextOutput, program.outcome]);
    if (ended && !pattern.test(ended.stdout)) {
      throw new Error(`It ended (${ended.code ?? ended.signal}):\n${ended.stdout}\n${ended.stderr}`);
    }
  }
}

/** A new directory that PostgreSQL's user can enter, too. */
export function createDataDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'semana-process-'));
  chmodSync(directory, 0o755);
  afterFile(async () => {
    const server = await findPostmasterPid(directory);
    if (server !== null) {
      process.kill(server, 'SIGQUIT');
      await waitForProcessEnd(server);
    }
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  return directory;
}

/** An empty database on the server of the tests. */
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

/** A copied database with the demo data: much faster than having the service write it. */
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

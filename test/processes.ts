import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { afterFile } from './after-file.ts';
import { copyDatabase, type DatabaseTemplate, dropDatabase, FREE_PORTS } from './harness.ts';
import { PROJECT } from './project.ts';
import { findPostmasterPid, waitForProcessEnd } from './support/postgres.ts';

/** The command line of `semana`: node with the bundle that run.ts built, or with bin/semana.js. */
export const SEMANA_COMMAND = [process.execPath, process.env.TEST_PROGRAM ?? join(PROJECT, 'bin/semana.js')];

export type Environment = Record<string, string>;

/** The environment variables of programs besides the settings. Those of the test runner are not passed on. */
const SHELL_ENV: Environment = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? tmpdir() };

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

/** Starts a program in the project; it is killed at the end of the file if it still runs. */
export function startProgram(commandLine: string[], env: Environment = {}, input?: string): Program {
  const [program, ...args] = commandLine;
  const child = spawn(program!, args, { cwd: PROJECT, env: { ...SHELL_ENV, ...env }, stdio: 'pipe' });
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
  return startProgram([...SEMANA_COMMAND, ...args], env, input).outcome;
}

/** `semana start` in a process of its own. */
export type ServiceProcess = Program & { partnerUrl: string; staffUrl: string; banner: string };

/** Runs `semana start` on free ports; returns when it has printed its banner. */
export const startService = (env: Environment, commandLine?: string[]): Promise<ServiceProcess> =>
  waitForBanner(launchService(env, commandLine));

/** Runs `semana start` on free ports, without waiting for its banner. */
export function launchService(
  env: Environment,
  commandLine: string[] = [...SEMANA_COMMAND, 'start'],
): Program {
  return startProgram(commandLine, { ...FREE_PORTS, ...env });
}

export async function waitForBanner(program: Program): Promise<ServiceProcess> {
  const banner = await waitForOutput(program, /Semana is running[\s\S]*Try: .*\n/);
  const [, partnerUrl] = /Partners +(\S+)/.exec(banner) ?? [];
  const [, staffUrl] = /Staff +(\S+)/.exec(banner) ?? [];
  return { ...program, banner, partnerUrl: partnerUrl!, staffUrl: staffUrl! };
}

/** Waits until standard output matches, and returns the matched text. Throws with all output if the program ends without a match. */
export async function waitForOutput(program: Program, pattern: RegExp): Promise<string> {
  for (;;) {
    const [matchedText] = pattern.exec(program.stdout()) ?? [];
    if (matchedText !== undefined) return matchedText;
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

/** Creates a database without a schema, as an operator provides it for the first start. */
export const createUnmigratedDatabase = (): Promise<string> => createDatabase('template0');

/** Creates a database with the demo data, which is much faster than having the service write it. */
export const createDemoDatabase = (): Promise<string> => createDatabase('semana_demo');

async function createDatabase(template: DatabaseTemplate): Promise<string> {
  const url = await copyDatabase(template);
  after(() => dropDatabase(url));
  return url;
}

/** Returns whether a process of any user runs. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

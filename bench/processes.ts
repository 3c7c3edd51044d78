import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { SANDBOX_PSP_CLIENT } from '../src/sandbox/psp/simulator.ts';
import { PROJECT } from '../test/project.ts';
import { registerCleanup } from './interruption.ts';
import { options } from './options.ts';

export type RunningProcess = { url: string; pid: number; stop(): Promise<void> };
/** The service. With --profile it has the URL of the Node inspector. */
export type Service = RunningProcess & { staffUrl: string; inspectorUrl?: string };

/** Starts the service as an operator would. */
export async function startService(env: Record<string, string>): Promise<Service> {
  const flags = options.profile ? ['--inspect=127.0.0.1:0'] : [];
  const child = spawn(process.execPath, [...flags, 'bin/semana.js', 'start'], {
    cwd: PROJECT,
    env: {
      ...process.env,
      PORT: '0',
      STAFF_PORT: '0',
      PSP_PORT: '0',
      WEB_PORT: 'off',
      OFFICE_PORT: 'off',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', options.profile ? 'pipe' : 'inherit'],
  });
  const stop = createStop(child);
  const inspectorOutput =
    options.profile &&
    (await waitForOutput<'inspectorUrl'>(child, child.stderr!, /Debugger listening on (?<inspectorUrl>\S+)/));
  child.stderr?.pipe(process.stderr);
  const { url, staffUrl } = await waitForOutput<'url' | 'staffUrl'>(
    child,
    child.stdout!,
    /Partners\s+(?<url>\S+)\s+Staff\s+(?<staffUrl>\S+)/,
  );
  return { url, staffUrl, pid: child.pid!, ...inspectorOutput, stop };
}

/** Creates the tables in an empty database, by starting and stopping the service. */
export async function createTables(databaseUrl: string): Promise<void> {
  await (await startService({ DATABASE_URL: databaseUrl })).stop();
}

/** Starts the web pages as a separate process. */
export async function startWeb(env: Record<string, string>): Promise<RunningProcess> {
  const child = spawn(process.execPath, ['bin/semana.js', 'web'], {
    cwd: PROJECT,
    env: { ...process.env, WEB_PORT: '0', WEB_HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = createStop(child);
  const { url } = await waitForOutput<'url'>(child, child.stdout!, /The pages are at (?<url>\S+)/);
  return { url, pid: child.pid!, stop };
}

/** Starts a node:http server that sends this response to every request. */
export async function startBareServer(
  body: Buffer,
  headers: [name: string, value: string][],
  directory: string,
): Promise<RunningProcess> {
  const file = join(directory, 'bare-body');
  writeFileSync(file, body);
  return startBenchProgram('bare-server.ts', file, JSON.stringify(headers.flat()));
}

/** Starts a program of this folder that prints its port: a baseline (`bare-….ts`) or the PSP simulator. */
export async function startBenchProgram(program: string, ...args: string[]): Promise<RunningProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = createStop(child);
  const { port } = await waitForOutput<'port'>(child, child.stdout!, /^(?<port>\d+)$/m);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid!, stop };
}

/** Reads a metric of the service. Returns 0 if the service has not counted anything for it yet. */
export async function readMetric(service: Service, name: string): Promise<number> {
  const text = await (await fetch(`${service.staffUrl}/metrics`)).text();
  const [, value = 0] = new RegExp(`^${name} (\\S+)`, 'm').exec(text) ?? [];
  return Number(value);
}

/** Starts the PSP simulator as a separate process. Returns it with the settings of a service that uses it. */
export async function startSimulator(
  databaseUrl: string,
): Promise<RunningProcess & { env: Record<string, string> }> {
  const simulator = await startBenchProgram('psp-simulator.ts', databaseUrl);
  const env = {
    PSP_URL: `${simulator.url}/v2`,
    PSP_TOKEN_URL: `${simulator.url}/oauth/token`,
    PSP_CLIENT_ID: SANDBOX_PSP_CLIENT.id,
    PSP_CLIENT_SECRET: SANDBOX_PSP_CLIENT.secret,
  };
  return { ...simulator, env };
}

/** Waits until the output of a process matches the pattern. Returns the named groups, with 127.0.0.1 instead of localhost. */
function waitForOutput<GroupName extends string>(
  child: ChildProcess,
  stream: Readable,
  pattern: RegExp,
): Promise<Record<GroupName, string>> {
  return new Promise((resolve, reject) => {
    let output = '';
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
      const groups = pattern.exec(output.replaceAll('localhost', '127.0.0.1'))?.groups;
      if (groups) resolve(groups as Record<GroupName, string>);
    });
    child.on('exit', (code) =>
      reject(new Error(`The process exited with code ${code} after printing: ${output}`)),
    );
  });
}

/** Returns a function that stops the process and waits for its exit. A signal to the bench also runs it. */
function createStop(child: ChildProcess): () => Promise<void> {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return registerCleanup(() => {
    child.kill('SIGTERM');
    return exited;
  });
}

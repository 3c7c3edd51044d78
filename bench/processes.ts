import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_PSP_CLIENT } from '../src/sandbox/psp/simulator.ts';
import { endedOnSignal } from './interruption.ts';

const ROOT = join(import.meta.dirname, '..');

export type Running = { url: string; pid: number; stop(): Promise<void> };

/** The service as an operator runs it. */
export async function startService(env: Record<string, string>): Promise<Running & { staffUrl: string }> {
  const child = spawn(process.execPath, ['bin/semana.js', 'start'], {
    cwd: ROOT,
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
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = stopperOf(child);
  const card = await untilPrinted(child, /Partners\s+(\S+)\s+Staff\s+(\S+)/);
  const [, url, staffUrl] = card.map((text) => text.replace('localhost', '127.0.0.1'));
  return { url: url!, staffUrl: staffUrl!, pid: child.pid!, stop };
}

/** The pages, as a process of their own. */
export async function startWeb(env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, ['bin/semana.js', 'web'], {
    cwd: ROOT,
    env: { ...process.env, WEB_PORT: '0', WEB_HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = stopperOf(child);
  const [, url] = await untilPrinted(child, /The pages are at (\S+)/);
  return { url: url!.replace('localhost', '127.0.0.1'), pid: child.pid!, stop };
}

export async function startBareServer(
  body: Buffer,
  headers: [name: string, value: string][],
  directory: string,
): Promise<Running> {
  const file = join(directory, 'bare-body');
  writeFileSync(file, body);
  return startBareProgram('bare-server.ts', file, JSON.stringify(headers.flat()));
}

/** A baseline program of this folder: runs the same SELECTs, does nothing else, and prints its port. */
export async function startBareProgram(program: string, ...args: string[]): Promise<Running> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = stopperOf(child);
  const [, port] = await untilPrinted(child, /^(\d+)$/m);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid!, stop };
}

/** The PSP simulator as a process, and the settings with which a service uses it. */
export async function startSimulator(
  databaseUrl: string,
): Promise<Running & { env: Record<string, string> }> {
  const running = await startBareProgram('psp-simulator.ts', databaseUrl);
  const env = {
    PSP_URL: `${running.url}/v2`,
    PSP_TOKEN_URL: `${running.url}/oauth/token`,
    PSP_CLIENT_ID: SANDBOX_PSP_CLIENT.id,
    PSP_CLIENT_SECRET: SANDBOX_PSP_CLIENT.secret,
  };
  return { ...running, env };
}

function untilPrinted(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk;
      const found = pattern.exec(printed);
      if (found) resolve(found);
    });
    child.on('exit', (code) => reject(new Error(`it ended with code ${code} after printing: ${printed}`)));
  });
}

function stopperOf(child: ChildProcess): () => Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return endedOnSignal(() => {
    child.kill('SIGTERM');
    return ended;
  });
}

import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CONNECTIONS = 64;

/** wrk, because a client in JavaScript is slower than what it would measure. */
export function needWrk(): void {
  if (spawnSync('wrk', ['--version']).error === undefined) return;
  process.stderr.write('wrk is not installed: trying apt-get install wrk ...\n');
  const installed = spawnSync('sh', ['-c', 'apt-get update -qq && apt-get install -y -qq wrk'], {
    stdio: 'ignore',
  });
  if (installed.status === 0) return;
  process.stderr.write(
    'The bench needs wrk; install it from your package manager (Debian: apt-get install wrk).\n',
  );
  process.exit(2);
}

export type Target = { url: string; seconds: number; headers?: Record<string, string>; script?: string };

/** Requests a second; an answer that is not 2xx or 3xx fails the measurement. */
export async function requestsPerSecond({ url, seconds, headers = {}, script }: Target): Promise<number> {
  const { stdout } = await run('wrk', [
    ...['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...(script ? ['-s', script] : []),
    url,
  ]);
  if (/Non-2xx|Socket errors: connect [1-9]/.test(stdout))
    throw new Error(`wrk met errors at ${url}:\n${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)![1]);
}

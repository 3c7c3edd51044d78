import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const CONNECTIONS = 64;

/** Installs wrk if it is missing, or ends the process. A client written in JavaScript would be slower than the measured servers. */
export function requireWrk(): void {
  if (spawnSync('wrk', ['--version']).error === undefined) return;
  process.stderr.write('wrk is not installed: trying apt-get install wrk ...\n');
  const installation = spawnSync('sh', ['-c', 'apt-get update -qq && apt-get install -y -qq wrk'], {
    stdio: 'ignore',
  });
  if (installation.status === 0) return;
  process.stderr.write(
    'The bench needs wrk; install it from your package manager (Debian: apt-get install wrk).\n',
  );
  process.exit(2);
}

/** What to request, and for how long. `script` is the path of a wrk script that chooses the requests. */
export type Target = { url: string; seconds: number; headers?: Record<string, string>; script?: string };

/** Measures requests per second. Throws if a response is neither 2xx nor 3xx. */
export async function measureRequestsPerSecond({
  url,
  seconds,
  headers = {},
  script,
}: Target): Promise<number> {
  const { stdout } = await runFile('wrk', [
    ...['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...(script ? ['-s', script] : []),
    url,
  ]);
  if (/Non-2xx|Socket errors: connect [1-9]/.test(stdout))
    throw new Error(`wrk reported errors for ${url}:\n${stdout}`);
  const [, rate] = /Requests\/sec:\s+([\d.]+)/.exec(stdout)!;
  return Number(rate);
}

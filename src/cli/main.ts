import { askTerminal } from '#platform/command-line/command.ts';
import { runSemana } from './semana.ts';

export async function runProcess(): Promise<void> {
  // The reader of a pipe may close it early (`semana keys list | head -1`), which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const isAttended = process.stdin.isTTY && process.stderr.isTTY;
  process.exitCode = await runSemana(process.argv.slice(2), {
    env: process.env,
    print: (text) => void process.stdout.write(`${text}\n`),
    printError: (text) => void process.stderr.write(`${text}\n`),
    stdin: process.stdin,
    stdout: process.stdout,
    ...(isAttended && { ask: askTerminal }),
  });
}

import { formatRelease } from '#platform/release.ts';
import type { CommandIo } from './run-operation.ts';

export async function runProcess(): Promise<void> {
  // The reader of a pipe may close it early (`semana keys list | head -1`), which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const isAttended = process.stdin.isTTY && process.stderr.isTTY;
  if (process.argv[2] === '--version') return void process.stdout.write(`semana ${formatRelease()}\n`);
  const { runSemana } = await import('./semana.ts');
  process.exitCode = await runSemana(process.argv.slice(2), {
    env: process.env,
    print: (text) => void process.stdout.write(`${text}\n`),
    printError: (text) => void process.stderr.write(`${text}\n`),
    stdin: process.stdin,
    stdout: process.stdout,
    ...(isAttended && { ask }),
  });
}

const ask: NonNullable<CommandIo['ask']> = async (question, options) =>
  (await import('#platform/command-line/command.ts')).askTerminal(question, options);

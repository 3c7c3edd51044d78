// A separate process for tests: opens the embedded PostgreSQL with the options in its argument, reports on stdout, stops when stdin ends.
import type { EmbeddedPostgresOptions } from '#platform/postgres/embedded.ts';
import { openTestPostgres, type ProcessEvent } from './postgres.ts';

function report(event: ProcessEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

const options = JSON.parse(process.argv[2] ?? '{}') as EmbeddedPostgresOptions;
try {
  const postgres = await openTestPostgres({
    ...options,
    log: (message) => report({ event: 'log', message }),
  });
  const { url, wasStarted, wasAdopted } = postgres;
  report({ event: 'open', url, wasStarted, wasAdopted });
  for await (const _ of process.stdin);
  await postgres.stop();
} catch (error) {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  report({ event: 'failed', name, message });
  process.exitCode = 1;
}

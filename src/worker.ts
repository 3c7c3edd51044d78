import { systemClock } from '#platform/clock.ts';
import { explain } from '#platform/command-line/explain.ts';
import type { FromWorker, ToWorker } from '#platform/nodes/worker-messages.ts';
import { openLog } from '#platform/observability/log.ts';
import { watchUncaughtErrors } from '#platform/observability/uncaught-errors.ts';
import { type App, createApp } from './app.ts';
import { readConfiguration } from './modules.ts';
import { stopApp } from './stop-app.ts';

// One of several processes of a node. The primary (workers.ts) controls it; it stops when the primary is gone.

const configuration = readConfiguration(process.env);
const { config } = configuration;
const log = openLog(config.logLevel);
const tell = (message: FromWorker) => void process.send?.(message, () => undefined); // a send error is ignored: 'disconnect' follows

let app: App | undefined;
let stopping: Promise<void> | undefined;
const stop = (code: number) => {
  if (stopping) app?.drain.hurry();
  stopping ??= stopApp(app, config.drainMs).then(
    () => process.exit(code),
    (error: unknown) => {
      log.error({ err: error }, 'could not stop cleanly');
      process.exit(1);
    },
  );
};

watchUncaughtErrors(log, () => stop(1));
// A terminal and a supervisor signal all processes of a group: only the primary decides when a worker ends.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => stop(1));
process.on('message', (message: ToWorker) => {
  if (message.kind === 'serve') void serve(message);
  if (message.kind === 'stop') stop(0);
});

async function serve({ databaseUrl, port, staffPort }: ToWorker & { kind: 'serve' }): Promise<void> {
  const own = { ...configuration, config: { ...config, port, staffPort } };
  try {
    app = await createApp({ configuration: own, databaseUrl, clock: systemClock, log });
    tell({ kind: 'open', opened: await app.start() });
  } catch (error) {
    if (stopping) return;
    process.stderr.write(`${explain(error)}\n`);
    stop(1);
  }
}

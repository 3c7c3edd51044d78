import { systemClock } from '#platform/clock.ts';
import { explainError } from '#platform/command-line/explain-error.ts';
import type { MessageFromWorker, MessageToWorker } from '#platform/nodes/gather-metrics.ts';
import { createLog } from '#platform/observability/log.ts';
import { exitWhenStopped, watchUncaughtErrors } from '#platform/observability/uncaught-errors.ts';
import { type App, createApp, stopApp } from './app.ts';
import { readConfiguration } from './modules.ts';

// A worker is one of several processes of a node. The primary process (workers.ts) controls it. It stops if the primary process ends.

const configuration = readConfiguration(process.env);
const { config } = configuration;
const log = createLog(config.logLevel);
const sendToPrimary = (message: MessageFromWorker) => void process.send?.(message, () => undefined); // a send error can be ignored, because 'disconnect' follows

let app: App | undefined;
let stopPromise: Promise<void> | undefined;
/** A second call cuts the drain of open requests short. */
const stop = (exitCode: number) => {
  if (stopPromise) app?.drain.cutShort();
  stopPromise ??= exitWhenStopped(stopApp(app, config.drainMs), exitCode, log);
};

watchUncaughtErrors(log, () => stop(1));
// Terminals and supervisors signal all processes of a group, but only the primary process decides when a worker ends.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => stop(1));
process.on('message', (message: MessageToWorker) => {
  if (message.kind === 'serve') void serve(message);
  if (message.kind === 'stop') stop(0);
});

async function serve({ databaseUrl, port, staffPort }: MessageToWorker & { kind: 'serve' }): Promise<void> {
  const workerConfiguration = { ...configuration, config: { ...config, port, staffPort } };
  try {
    app = await createApp({ configuration: workerConfiguration, databaseUrl, clock: systemClock, log });
    sendToPrimary({ kind: 'started', startedApp: await app.start() });
  } catch (error) {
    if (stopPromise) return;
    process.stderr.write(`${explainError(error)}\n`);
    stop(1);
  }
}

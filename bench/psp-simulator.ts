// Runs the PSP simulator as a separate process, so that its CPU time is not counted as that of the service.
import { systemClock } from '#platform/clock.ts';
import { openDb } from '#platform/database/db.ts';
import { createLog } from '#platform/observability/log.ts';
import { SANDBOX_PIX } from '../src/pix/settings.ts';
import { createPspSimulator } from '../src/sandbox/psp/simulator.ts';

const simulator = createPspSimulator({
  port: 0,
  db: openDb({ url: process.argv[2]!, poolSize: 4, applicationName: 'psp simulator' }),
  clock: systemClock,
  log: createLog('warn'),
  keys: [SANDBOX_PIX.key],
});
await simulator.start();
process.stdout.write(`${new URL(simulator.url()).port}\n`);

// The PSP simulator in a process of its own, so that its CPU time is not counted as the service's.
import { openDb } from '#platform/database/db.ts';
import { openLog } from '#platform/observability/log.ts';
import { SANDBOX_PIX } from '../src/pix/settings.ts';
import { createPspSimulator } from '../src/sandbox/psp/simulator.ts';

const simulator = createPspSimulator({
  port: 0,
  db: openDb({ url: process.argv[2]!, poolSize: 4, label: 'psp simulator' }),
  clock: { now: () => new Date() },
  log: openLog('warn'),
  keys: [SANDBOX_PIX.key],
});
await simulator.start();
process.stdout.write(`${new URL(simulator.url()).port}\n`);

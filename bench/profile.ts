import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Db, sql } from '#platform/database/db.ts';
import type { Service } from './processes.ts';

const PROFILES_DIRECTORY = join(import.meta.dirname, 'profiles');
const TOP_STATEMENTS = 40;
const TOP_FUNCTIONS = 60;

type ProfiledScenario = { bench: string; scenario: string; db: Db; service: Service };
type CallFrame = { functionName: string; url: string; lineNumber: number };
type CpuProfile = {
  nodes: Array<{ id: number; callFrame: CallFrame }>;
  samples: number[];
  timeDeltas: number[];
};

/**
 * Runs the scenario and writes to bench/profiles the CPU profile of the service, its most expensive functions, and the statements. Returns
 * the result of the scenario.
 */
export async function profileScenario<T>(
  { bench, scenario, db, service }: ProfiledScenario,
  runScenario: () => Promise<T>,
): Promise<T> {
  const inspector = await openInspector(service.inspectorUrl!);
  await inspector.send('Profiler.enable');
  await inspector.send('Profiler.start');
  const scenarioResult = await runScenario();
  const { profile } = (await inspector.send('Profiler.stop')) as { profile: CpuProfile };
  const statements = await db.rows<{
    calls: number;
    total_ms: number;
    rows: number;
    wal_bytes: number;
    query: string;
  }>(sql`
    select calls, total_exec_time + total_plan_time as total_ms, rows, wal_bytes::bigint as wal_bytes, query
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
    order by total_exec_time desc limit ${TOP_STATEMENTS}::int`);
  inspector.close();
  mkdirSync(PROFILES_DIRECTORY, { recursive: true });
  const path = join(PROFILES_DIRECTORY, `${bench}-${scenario.replaceAll(/[^a-z0-9]+/g, '-')}`);
  writeFileSync(`${path}.cpuprofile`, JSON.stringify(profile));
  const lines = statements.map(
    ({ calls, total_ms, rows, wal_bytes, query }) =>
      `${total_ms.toFixed(0).padStart(8)} ms ${String(calls).padStart(7)} calls ${String(rows).padStart(8)} rows ` +
      `${String(wal_bytes).padStart(10)} bytes of WAL  ${query.replaceAll(/\s+/g, ' ').trim().slice(0, 200)}`,
  );
  writeFileSync(`${path}.txt`, `${formatTopFunctions(profile)}\n\n${lines.join('\n')}\n`);
  return scenarioResult;
}

/** Formats the functions with the highest self time. */
function formatTopFunctions({ nodes, samples, timeDeltas }: CpuProfile): string {
  const nameById = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || '(anonymous)'} ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`,
    ]),
  );
  const selfMicroseconds = new Map<string, number>();
  for (const [i, id] of samples.entries()) {
    const name = nameById.get(id)!;
    selfMicroseconds.set(name, (selfMicroseconds.get(name) ?? 0) + timeDeltas[i]!);
  }
  return [...selfMicroseconds]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, TOP_FUNCTIONS)
    .map(([name, selfUs]) => `${(selfUs / 1000).toFixed(0).padStart(8)} ms  ${name}`)
    .join('\n');
}

async function openInspector(url: string) {
  const socket = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error(`The inspector at ${url} does not respond.`));
  });
  const resolversById = new Map<number, (result: unknown) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: unknown };
    if (id !== undefined) resolversById.get(id)?.(result);
  };
  let nextId = 1;
  return {
    send: (method: string) =>
      new Promise<unknown>((resolve) => {
        resolversById.set(nextId, resolve);
        socket.send(JSON.stringify({ id: nextId++, method }));
      }),
    close: () => socket.close(),
  };
}

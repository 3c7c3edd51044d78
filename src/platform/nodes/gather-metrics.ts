import cluster from 'node:cluster';
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** Longer than the primary process waits for reports. */
const GATHER_TIMEOUT_MS = 2_000;

/** The metrics of all processes of this node, in the text format of Prometheus. */
export function openGatherer(registry: Registry, refresh: () => void): () => Promise<string> {
  const own = <T>(read: () => T): T => {
    refresh();
    return read();
  };
  if (!cluster.isWorker) return () => own(() => registry.metrics());
  const report = () => own(() => registry.getMetricsAsJSON());
  const tell = (message: FromWorker) => void process.send?.(message, () => undefined); // the channel is closed: this process is about to end
  const waiting = new Map<number, (reports: MetricObject[][]) => void>();
  let asked = 0;
  const answer = async (question: number) => tell({ kind: 'report', question, report: await report() });
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'report') void answer(message.question);
    if (message.kind === 'reports') waiting.get(message.question)?.(message.reports as MetricObject[][]);
  });
  return async () => {
    const question = ++asked;
    tell({ kind: 'gather', question });
    const reports = await new Promise<MetricObject[][]>((resolve) => {
      waiting.set(question, resolve);
      setTimeout(() => resolve([]), GATHER_TIMEOUT_MS).unref();
    });
    waiting.delete(question);
    return AggregatorRegistry.aggregate(reports.length > 0 ? reports : [await report()]).metrics();
  };
}

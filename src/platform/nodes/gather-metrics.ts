import cluster from 'node:cluster';
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';

/** Messages from the primary process of a node to its workers: see src/workers.ts. */
export type MessageToWorker =
  | { kind: 'serve'; databaseUrl: string; port: number; staffPort: number }
  /** Sent a second time to end the drain immediately. */
  | { kind: 'stop' }
  | { kind: 'request_report'; requestId: number }
  | { kind: 'reports'; requestId: number; reports: unknown[] };

export type MessageFromWorker =
  | { kind: 'started'; startedApp: unknown }
  /** Requests the metrics reports of all workers. */
  | { kind: 'request_all_reports'; requestId: number }
  | { kind: 'report'; requestId: number; report: unknown };

/** Longer than the primary process waits for the reports of its workers. */
const GATHER_TIMEOUT_MS = 2_000;

/** Creates a function that returns the metrics of all processes of this node, in the text format of Prometheus. `refresh` updates gauges first. */
export function createMetricsGatherer(registry: Registry, refresh: () => void): () => Promise<string> {
  const readRefreshed = <T>(read: () => T): T => {
    refresh();
    return read();
  };
  if (!cluster.isWorker) return () => readRefreshed(() => registry.metrics());
  const buildReport = () => readRefreshed(() => registry.getMetricsAsJSON());
  // Sending fails if the channel is closed, because this process is about to end.
  const sendToPrimary = (message: MessageFromWorker) => void process.send?.(message, () => undefined);
  const pendingRequests = new Map<number, (reports: MetricObject[][]) => void>();
  let requestCount = 0;
  const sendReport = async (requestId: number) =>
    sendToPrimary({ kind: 'report', requestId, report: await buildReport() });
  process.on('message', (message: MessageToWorker) => {
    if (message.kind === 'request_report') void sendReport(message.requestId);
    if (message.kind === 'reports')
      pendingRequests.get(message.requestId)?.(message.reports as MetricObject[][]);
  });
  return async () => {
    const requestId = ++requestCount;
    sendToPrimary({ kind: 'request_all_reports', requestId });
    const reports = await new Promise<MetricObject[][]>((resolve) => {
      pendingRequests.set(requestId, resolve);
      setTimeout(() => resolve([]), GATHER_TIMEOUT_MS).unref();
    });
    pendingRequests.delete(requestId);
    return AggregatorRegistry.aggregate(reports.length > 0 ? reports : [await buildReport()]).metrics();
  };
}

/** Messages from the primary process of a node to its workers: see src/workers.ts. */
export type ToWorker =
  | { kind: 'serve'; databaseUrl: string; port: number; staffPort: number }
  /** Sent a second time to end the drain immediately. */
  | { kind: 'stop' }
  | { kind: 'report'; requestId: number }
  | { kind: 'reports'; requestId: number; reports: unknown[] };

export type FromWorker =
  | { kind: 'open'; opened: unknown }
  /** Requests the metrics reports of all workers. */
  | { kind: 'gather'; requestId: number }
  | { kind: 'report'; requestId: number; report: unknown };

/** Messages from the primary process of a node to its workers: see src/workers.ts. */
export type ToWorker =
  | { kind: 'serve'; databaseUrl: string; port: number; staffPort: number }
  /** Sent twice: shut down at once. */
  | { kind: 'stop' }
  | { kind: 'report'; question: number }
  | { kind: 'reports'; question: number; reports: unknown[] };

/** Messages from a worker to the primary. */
export type FromWorker =
  | { kind: 'open'; opened: unknown }
  /** Requests the reports of all. */
  | { kind: 'gather'; question: number }
  | { kind: 'report'; question: number; report: unknown };

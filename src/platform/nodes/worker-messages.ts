/** What the first process of a node tells the others, where there are several: see src/workers.ts. */
export type ToWorker =
  | { kind: 'serve'; databaseUrl: string; port: number; staffPort: number }
  /** The second time: at once. */
  | { kind: 'stop' }
  | { kind: 'report'; question: number }
  | { kind: 'reports'; question: number; reports: unknown[] };

/** And what they tell the first. */
export type FromWorker =
  | { kind: 'open'; opened: unknown }
  /** Wants the reports of all. */
  | { kind: 'gather'; question: number }
  | { kind: 'report'; question: number; report: unknown };

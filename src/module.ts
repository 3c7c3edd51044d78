import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { EventHandlers, Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Command, LocalCommand } from '#platform/command-line/command.ts';
import type { Config } from '#platform/config.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Db, Queryable, Tx } from '#platform/database/db.ts';
import type { ApiServerOptions } from '#platform/http/api-server.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import type { CallerProblems, Tag, WebhookSpec } from '#platform/http/openapi.ts';
import type { ResolveSearch, Searcher } from '#platform/http/search.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import type { ChangeFeed } from '#platform/nodes/change-feed.ts';
import type { Log } from '#platform/observability/log.ts';
import type { Metrics } from '#platform/observability/metrics.ts';
import type { PortToOpen } from '#platform/ports.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import type { Service, ServiceBinding } from '#platform/service.ts';
import type { EffectiveSetting, Settings } from '#platform/settings.ts';
import type { Vault } from '#platform/vault.ts';

/** A range of customer ids: those greater than `afterId`, up to and including `lastId`. */
export type CustomerRange = { readonly afterId: string; readonly lastId: string };

export type Auditor = {
  /** The kinds of ledger postings that this auditor covers. */
  readonly postingKinds: readonly string[];
  /** Recomputes amounts from facts and entries for a range of customers, and describes every mismatch. */
  check(tx: Tx, range: CustomerRange): Promise<string[]>;
  /** Checks data that belongs to no customer. Runs once, after all customers. */
  checkGlobal?(tx: Tx): Promise<string[]>;
};

export type Deps<S = unknown> = {
  readonly settings: S;
  readonly config: Config;
  readonly db: Db;
  readonly databaseUrl: string;
  readonly changeFeed: ChangeFeed;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly vault: Vault;
  readonly events: Events;
  readonly personalData: readonly PersonalData[];
  /** The URL that partners use. With a free port it is known only once the partner API is listening. */
  readonly publicUrl: () => string;
  readonly hasSessionEnded: (sessionId: string) => Promise<boolean>;
  /** The search functions of all modules, available once all modules are open. */
  readonly listSearchers: () => readonly Searcher[];
  readonly resolveSearch: ResolveSearch;
  /** Counters of work that is waiting for staff users, available once all modules are open. */
  readonly pendingWork: () => Readonly<Record<string, () => Promise<number>>>;
  readonly listEffectiveSettings: () => EffectiveSetting[];
  /** Provides a service to modules that come later in the list. */
  provideService<T>(name: Service<T>, value: T): void;
  /** Finds a service. During `open` only services of earlier modules are available, afterwards those of all modules. */
  findService<T>(name: Service<T>): T | undefined;
};

export type InjectRequest = (options: InjectOptions) => Promise<LightMyRequestResponse>;

export type ModuleRuntime = {
  /** The endpoints of the partner API and of the staff API. */
  readonly partner?: readonly Endpoint[];
  readonly staff?: readonly Endpoint[];
  /** Checks the caller of an endpoint. All guards run, in the order of the modules. */
  readonly guard?: ApiServerOptions['guard'];
  readonly apiServer?: Pick<
    ApiServerOptions,
    | 'guardSync'
    | 'preflight'
    | 'allowAnyOrigin'
    | 'explainFailure'
    | 'holdForApproval'
    | 'findPendingApproval'
    | 'recordExport'
  >;
  readonly hasSessionEnded?: (sessionId: string) => Promise<boolean>;
  readonly search?: Searcher;
  /** Counters of work that is waiting for staff users, by kind. */
  readonly pendingWork?: Readonly<Record<string, () => Promise<number>>>;
  readonly tasks?: Tasks;
  readonly cron?: readonly CronItem[];
  /** Deletes expired rows. Runs every ten minutes on every node. */
  readonly housekeeping?: (now: Date) => Promise<void>;
  readonly readinessChecks?: Readonly<Record<string, () => boolean>>;
  readonly ports?: readonly PortToOpen[];
  /** Directories of pictures, which both API servers serve below /media. */
  readonly mediaDirectories?: readonly string[];
  /** Called when both API servers are listening. Jobs start when all modules have returned. */
  start?(servers: {
    partnerUrl: string;
    staffUrl: string;
    /** Calls the staff API of this node without a connection. */
    injectStaff: InjectRequest;
  }): Promise<void>;
  /** The first rows of the banner that `semana start` prints, for newcomers. */
  bannerTop?(): string[][];
  bannerRows?(urls: { partnerUrl: string; staffUrl: string }): string[][];
  /** Called before `stop`: ends streams that would keep connections open. */
  drain?(): void;
  stop?(): Promise<void> | void;
};

/** The dependencies of a module's local commands. Settings are read when a command runs, not for its help. */
type CommandDeps<S = unknown> = {
  readonly settings: () => S;
  readonly events: Events;
  readonly auditors: readonly Auditor[];
  readonly personalData: () => readonly PersonalData[];
  findService<T>(name: Service<T>): T | undefined;
};

/** Everything a module contributes. Servers, command line, help, openapi.json and the list of settings are derived from it. */
export type Module<S = unknown> = {
  readonly name: string;
  /** Runs in the sandbox only. Its settings and commands are listed in any mode. */
  readonly sandboxOnly?: true;
  readonly settings?: Settings<S>;
  readonly tags?: { readonly partner?: readonly Tag[]; readonly staff?: readonly Tag[] };
  /** Webhooks to partners, documented in openapi.json of the partner API. */
  readonly webhooks?: readonly WebhookSpec[];
  readonly guardProblems?: Partial<CallerProblems>;
  /** Event handlers, which run in the transaction that emits the event. */
  eventHandlers?(settings: () => S): EventHandlers;
  readonly auditor?: Auditor;
  readonly personalData?: PersonalData;
  /** Services for other modules, regardless of their order. */
  readonly provides?: readonly ServiceBinding[];
  /** Services for commands of other modules that depend on the settings of this module. */
  providesToCommands?(settings: () => S): readonly ServiceBinding[];
  /** Commands that need this machine or must work while the service is down. The others are derived from the endpoints. */
  commands?(deps: CommandDeps<S>): Command[];
  /** A command that runs the module in a process of its own. It gets only the module's settings. */
  processCommand?(settings: () => S): LocalCommand;
  /** Replaces the clock of the service, as the test clock of the sandbox does. */
  replaceClock?(deps: { realClock: Clock; db: Db; changeFeed: ChangeFeed; log: Log }): Clock;
  /** Returns a running clock, for a command that runs beside the service. It does not follow later moves of the clock. */
  readClock?(db: Queryable, realClock: Clock): Promise<Clock>;
  /** Called in one transaction on the very first start with an empty database. */
  onFirstStart?(tx: CustomerTx, deps: { clock: Clock; vault: Vault; events: Events }): Promise<void>;
  /** API keys for trying out the service: printed by `semana start`, and preset at /docs. */
  readonly demoKeys?: Readonly<Record<'partner' | 'merchant' | 'till' | 'operator', string>>;
  open?(deps: Deps<S>): ModuleRuntime;
};

export function defineModule<S = undefined>(module: Module<S>): Module {
  return module as Module;
}

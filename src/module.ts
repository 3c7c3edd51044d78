import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EventHandlers, Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Command, LocalCommand } from '#platform/command-line/command.ts';
import type { Config } from '#platform/config.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Db, Queryable, Tx } from '#platform/database/db.ts';
import type { Access } from '#platform/http/access.ts';
import type { DoorOptions } from '#platform/http/door.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import type { Webhook } from '#platform/http/openapi.ts';
import type { Finder, ResolveSearch } from '#platform/http/search.ts';
import type { Tag } from '#platform/http/tags.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import type { ChangeFeed } from '#platform/nodes/change-feed.ts';
import type { Log } from '#platform/observability/log.ts';
import type { Metrics } from '#platform/observability/metrics.ts';
import type { WantedPort } from '#platform/ports.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import type { ProblemMaker } from '#platform/problem.ts';
import type { Provided, Service } from '#platform/service.ts';
import type { SettingInForce, Settings } from '#platform/settings.ts';
import type { Vault } from '#platform/vault.ts';

/** Customers from one id, exclusive, to another. */
export type CustomerRange = { readonly after: string; readonly upTo: string };

/** What a module that moves money recomputes for `semana audit`. */
export type Auditor = {
  /** The kinds of postings the module makes. */
  readonly kinds: readonly string[];
  /** Recomputes from facts and entries for a range of customers, and describes every mismatch. */
  check(tx: Tx, range: CustomerRange): Promise<string[]>;
  /** The same for what belongs to no customer; runs once, after all customers. */
  checkRest?(tx: Tx): Promise<string[]>;
};

/** What a module works with in a running node. */
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
  /** Where modules keep personal data. */
  readonly personalData: readonly PersonalData[];
  /** The address partners use. Known for certain once the front door is open. */
  readonly publicUrl: () => string;
  /** Whether a customer's session has ended. */
  readonly isSessionOver: (sessionId: string) => Promise<boolean>;
  /** The search functions of modules, and counters of work that waits for staff. Known once all modules are open. */
  readonly finders: () => readonly Finder[];
  /** For a list: the customers, merchants and things that a pasted text means. */
  readonly resolveSearch: ResolveSearch;
  readonly waiting: () => Readonly<Record<string, () => Promise<number>>>;
  readonly settingsInForce: () => SettingInForce[];
  /** For modules that come later in the list. */
  provide<T>(name: Service<T>, value: T): void;
  /** What an earlier module in the list provided in `open`, or undefined. Called later, what any module provided. */
  find<T>(name: Service<T>): T | undefined;
};

/** What a module adds to a running node. */
export type ModulePart = {
  /** Endpoints for partners, and for the operator. */
  readonly front?: readonly Endpoint[];
  readonly staff?: readonly Endpoint[];
  /** Decides who may call. All guards run, in the order of the modules. */
  readonly guard?: (
    request: FastifyRequest,
    reply: FastifyReply,
    access: Access,
  ) => Promise<void> | undefined;
  readonly door?: Pick<DoorOptions, 'guardSync' | 'preflight' | 'excuse' | 'hold'>;
  readonly isSessionOver?: (sessionId: string) => Promise<boolean>;
  /** Its part of the search at the staff door. */
  readonly search?: Finder;
  /** Counters of work that waits for staff, by name. */
  readonly waiting?: Readonly<Record<string, () => Promise<number>>>;
  readonly tasks?: Tasks;
  readonly cron?: readonly CronItem[];
  /** Deletes expired rows. Runs every ten minutes on every node. */
  readonly housekeeping?: (now: Date) => Promise<void>;
  /** Checks for readiness: whether what is kept in memory is loaded. */
  readonly ready?: Readonly<Record<string, () => boolean>>;
  /** Ports it will listen on. */
  readonly ports?: readonly WantedPort[];
  /** Folders served under /media/. */
  readonly media?: readonly string[];
  /** Called when both doors listen. Jobs start when all modules have returned. */
  start?(at: { frontUrl: string; staffUrl: string }): Promise<void>;
  /** First lines of the card that `semana start` prints: where a newcomer goes. */
  cardTop?(): string[][];
  /** Lines, each with a name, for the card that `semana start` prints. */
  card?(at: { frontUrl: string; staffUrl: string }): string[][];
  /** Called before `stop`: ends what would keep connections open. */
  drain?(): void;
  stop?(): Promise<void> | void;
};

/** What a module's commands are made with. Settings are read when a command runs, not for its help. */
type CommandParts<S = unknown> = {
  readonly settings: () => S;
  readonly events: Events;
  readonly auditors: readonly Auditor[];
  readonly personalData: () => readonly PersonalData[];
  /** What modules provide in their manifests. */
  find<T>(name: Service<T>): T | undefined;
};

/**
 * A module declares here everything it adds to the service. The doors, the command line, help, error pages, openapi.json and
 * the list of settings are folds over the modules in modules.ts.
 */
export type Module<S = unknown> = {
  readonly name: string;
  /** Part of the sandbox only. Its settings and commands are listed in any mode. */
  readonly sandboxOnly?: true;
  readonly settings?: Settings<S>;
  /** Chapters of openapi.json that the module introduces. */
  readonly tags?: { readonly front?: readonly Tag[]; readonly staff?: readonly Tag[] };
  /** Calls that partners' endpoints get: in openapi.json of the front door. */
  readonly webhooks?: readonly Webhook[];
  /** Problems that every endpoint behind its guard may answer. */
  readonly guardProblems?: Partial<Record<'key' | 'customer' | 'role' | 'staff', ProblemMaker[]>>;
  /** Event handlers; they run in the transaction that emits the event. */
  handlers?(settings: () => S): EventHandlers;
  readonly auditor?: Auditor;
  /** Which personal data it keeps, for exports, erasure and the customer's history. */
  readonly personalData?: PersonalData;
  /** Services for other modules, whatever their order, and for commands. */
  readonly provides?: readonly Provided[];
  /** Services for commands of other modules that depend on its settings. */
  providesToCommands?(settings: () => S): readonly Provided[];
  commands?(parts: CommandParts<S>): Command[];
  /** A process beside the service that the command line runs. It is given the module's own settings and nothing else. */
  process?(settings: () => S): LocalCommand;
  /** Replaces the clock of the whole node. */
  clock?(parts: { base: Clock; db: Db; changeFeed: ChangeFeed; log: Log }): Clock;
  /** The same clock for a command, which has no change feed. */
  readClock?(db: Queryable, base: Clock): Promise<Clock>;
  /** On the very first start with an empty database, in one transaction. */
  firstStart?(tx: CustomerTx, parts: { clock: Clock; vault: Vault; events: Events }): Promise<void>;
  /** Keys for trying things out: in the line that `semana start` prints, and at /docs. */
  readonly demo?: { readonly partnerKey: string; readonly operatorKey: string };
  open?(deps: Deps<S>): ModulePart;
};

/** Ties the type of a module's settings to its functions. */
export function defineModule<S = undefined>(module: Module<S>): Module {
  return module as Module;
}

import { createEvents, type Events } from '#events';
import type { Auditor, Module } from '#module';
import type { Command } from '#platform/command-line/command.ts';
import { type ConfigReader, createConfigReader, createValidConfigReader } from '#platform/config.ts';
import type { CallerProblems } from '#platform/http/openapi.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { platformPersonalData } from '#platform/privacy/platform-data.ts';
import type { Service } from '#platform/service.ts';
import type { Environment, Mode } from '#platform/settings.ts';
import { officeModule, webModule } from './apps/module.ts';
import { backOfficeModule } from './back-office/module.ts';
import { catalogModule } from './catalog/module.ts';
import { creditModule } from './credit/module.ts';
import { customersModule } from './customers/module.ts';
import { decisionsModule } from './decisions/module.ts';
import { ledgerModule } from './ledger/module.ts';
import { membersModule } from './members/module.ts';
import { messagesModule } from './messages/module.ts';
import { notificationsModule } from './notifications/module.ts';
import { partnersModule } from './partners/module.ts';
import { payoutsModule } from './payouts/module.ts';
import { pixModule } from './pix/module.ts';
import { rewardsModule } from './rewards/module.ts';
import { sandboxModule } from './sandbox/module.ts';
import { approvalsModule } from './staff/approvals/module.ts';
import { staffModule } from './staff/module.ts';
import { webhooksModule } from './webhooks/module.ts';

/** The modules in the order in which they are opened. A module may use the services of earlier modules. */
export const modules: readonly Module[] = [
  partnersModule,
  staffModule,
  approvalsModule,
  catalogModule,
  messagesModule,
  decisionsModule,
  customersModule,
  membersModule,
  ledgerModule,
  creditModule,
  pixModule,
  rewardsModule,
  payoutsModule,
  notificationsModule,
  webhooksModule,
  backOfficeModule,
  sandboxModule,
  webModule,
  officeModule,
];

export const listModules = (mode: Mode): Module[] =>
  modules.filter(({ sandboxOnly }) => mode === 'sandbox' || !sandboxOnly);

export type Configuration = ConfigReader;

export const readConfiguration = (env: Environment): Configuration => createValidConfigReader(env, modules);

/** Reads and validates the settings of each module on first use, for commands. */
export const readConfigurationLazily = (env: Environment): Configuration => createConfigReader(env);

/** Creates the events with the handlers of all modules, for the service, the command line and the demo data. */
export function createModuleEvents({ readSettings }: Pick<Configuration, 'readSettings'>): Events {
  return createEvents(modules.map((module) => module.eventHandlers?.(() => readSettings(module)) ?? {}));
}

export const listPersonalData = (mode: Mode): PersonalData[] => [
  platformPersonalData,
  ...listModules(mode).flatMap(({ personalData }) => personalData ?? []),
];

export const auditors: readonly Auditor[] = modules.flatMap(({ auditor }) => auditor ?? []);

export const serviceBindings: ReadonlyMap<Service<unknown>, unknown> = new Map(
  modules.flatMap(({ provides = [] }) => provides),
);

/** Lists the local commands of all modules. `configuration` is read when a command runs, not for help. */
export function listModuleCommands(configuration: Configuration): Command[] {
  const deferSettings = (module: Module) => () => configuration.readSettings(module);
  const bindings = new Map(
    modules.flatMap((module) => module.providesToCommands?.(deferSettings(module)) ?? []),
  );
  const deps = {
    events: createModuleEvents(configuration),
    auditors,
    personalData: () => listPersonalData(configuration.config.mode),
    findService: <T>(name: Service<T>) => bindings.get(name) as T | undefined,
  };
  return modules.flatMap((module) => {
    const group = module.name.replace(/^./, (letter) => letter.toUpperCase());
    const commands = module.commands?.({ ...deps, settings: deferSettings(module) }) ?? [];
    return commands.map((command) => ({ ...command, group }));
  });
}

export function collectGuardProblems(): CallerProblems {
  const collectProblems = (guard: keyof CallerProblems) =>
    modules.flatMap((module) => module.guardProblems?.[guard] ?? []);
  return {
    key: collectProblems('key'),
    customer: collectProblems('customer'),
    role: collectProblems('role'),
    staff: collectProblems('staff'),
  };
}

import { type Events, openEvents } from '#events';
import type { Auditor, Module } from '#module';
import type { Command } from '#platform/command-line/command.ts';
import { openConfig, type ReadConfig, readConfig } from '#platform/config.ts';
import type { CallerProblems } from '#platform/http/openapi.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { platformData } from '#platform/privacy/platform-data.ts';
import type { Service } from '#platform/service.ts';
import type { Environment, Mode } from '#platform/settings.ts';
import { approvalsModule } from './approvals/module.ts';
import { backofficeModule } from './backoffice/module.ts';
import { catalogModule } from './catalog/module.ts';
import { creditModule } from './credit/module.ts';
import { customersModule } from './customers/module.ts';
import { decisionsModule } from './decisions/module.ts';
import { deliveryModule } from './delivery/module.ts';
import { ledgerModule } from './ledger/module.ts';
import { membersModule } from './members/module.ts';
import { messagesModule } from './messages/module.ts';
import { noticesModule } from './notices/module.ts';
import { overviewModule } from './overview/module.ts';
import { partnersModule } from './partners/module.ts';
import { payoutsModule } from './payouts/module.ts';
import { pixModule } from './pix/module.ts';
import { reportsModule } from './reports/module.ts';
import { rewardsModule } from './rewards/module.ts';
import { sandboxModule } from './sandbox/module.ts';
import { staffModule } from './staff/module.ts';
import { webModule } from './web/module.ts';
import { officeModule } from './web/office-module.ts';

/** All modules. A module may use what those before it provide. */
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
  noticesModule,
  deliveryModule,
  reportsModule,
  overviewModule,
  backofficeModule,
  sandboxModule,
  webModule,
  officeModule,
];

export const modulesIn = (mode: Mode): Module[] =>
  modules.filter(({ sandboxOnly }) => mode === 'sandbox' || !sandboxOnly);

/** The settings of the platform and of every module. */
export type Configuration = ReadConfig<Module>;

/** For the service: all settings are checked. */
export const readConfiguration = (env: Environment): Configuration => readConfig(env, modules);

/** For a command: each module's settings are read and checked on first use. */
export const openConfiguration = (env: Environment): Configuration => openConfig(env);

/** The event handlers of all modules: the same for the service, the command line and the demo data. */
export function eventsOf({ settingsOf }: Pick<Configuration, 'settingsOf'>): Events {
  return openEvents(modules.map((module) => module.handlers?.(() => settingsOf(module)) ?? {}));
}

/** Where personal data is kept in this mode. */
export const personalDataIn = (mode: Mode): PersonalData[] => [
  platformData,
  ...modulesIn(mode).flatMap(({ personalData }) => personalData ?? []),
];

/** Every module that moves money, for 'semana audit'. */
export const auditors: readonly Auditor[] = modules.flatMap(({ auditor }) => auditor ?? []);

export const provided: ReadonlyMap<Service<unknown>, unknown> = new Map(
  modules.flatMap(({ provides = [] }) => provides),
);

/** `configuration` is read when a command runs; help does not need it. */
export function commandsOf(configuration: Configuration): Command[] {
  const events = eventsOf(configuration);
  const settingsOf = (module: Module) => () => configuration.settingsOf(module);
  const here = new Map([
    ...provided,
    ...modules.flatMap((module) => module.providesToCommands?.(settingsOf(module)) ?? []),
  ]);
  return modules.flatMap((module) => {
    const settings = settingsOf(module);
    const find = <T>(name: Service<T>) => here.get(name) as T | undefined;
    const group = module.name.replace(/^./, (letter) => letter.toUpperCase());
    const personalData = () => personalDataIn(configuration.config.mode);
    const parts = { settings, events, auditors, personalData, find };
    return (module.commands?.(parts) ?? []).map((command) => ({ ...command, group }));
  });
}

/** Problems that every endpoint behind a guard may answer. */
export function guardProblems(): CallerProblems {
  const of = (guard: 'key' | 'customer' | 'role' | 'staff') =>
    modules.flatMap((module) => module.guardProblems?.[guard] ?? []);
  return {
    keyProblems: of('key'),
    tokenProblems: of('customer'),
    roleProblems: of('role'),
    staffProblems: of('staff'),
  };
}

import type { Command } from '#platform/command-line/command.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { disableEndpoint, enableEndpoint } from '../endpoints.ts';
import { WEBHOOK_ID } from './webhook-id.ts';

export const webhookDisable: Command = {
  name: 'webhook disable',
  summary: 'stop calling an endpoint',
  positionals: [WEBHOOK_ID],
  async run(context, { positionals }) {
    const change = changeByCommand(context, 'webhook disable');
    const { id } = await disableEndpoint(context.db, positionals[0]!, change);
    context.print(`${id} is disabled. What happens meanwhile can be replayed when it is enabled.`);
  },
};

export const webhookEnable: Command = {
  name: 'webhook enable',
  summary: 'call an endpoint again, with what waited when it was disabled',
  positionals: [WEBHOOK_ID],
  async run(context, { positionals }) {
    const change = changeByCommand(context, 'webhook enable');
    const { id } = await enableEndpoint(context.db, positionals[0]!, change);
    context.print(
      `${id} is enabled. Deliver what it missed with:\n  semana webhook replay ${id} --since INSTANT`,
    );
  },
};

import type { Command } from '#platform/command.ts';
import { demo } from './commands/demo.ts';

export { DEMO_OPERATOR_KEY, DEMO_PARTNER_KEY, seedDemo } from './demo-data.ts';

export const sandboxCommands: Command[] = [demo];

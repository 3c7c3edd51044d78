import { CommandError, UsageError } from './command.ts';

export async function describeError(error: unknown, name: string): Promise<{ text: string; code: number }> {
  if (error instanceof UsageError) return { text: `${error.message} See 'semana ${name} --help'.`, code: 2 };
  if (error instanceof CommandError) return { text: error.message, code: 1 };
  // Loaded for errors of local commands only, because it imports the database client.
  const { explainError } = await import('./explain-error.ts');
  const { ConfigErrors } = await import('../settings.ts');
  return { text: explainError(error), code: error instanceof ConfigErrors ? 2 : 1 };
}

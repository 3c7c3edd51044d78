export type PrintLine = (message: string) => void;

/** An error for the operator. Its message is printed without a stack. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
}

export class DataDirInUseError extends EmbeddedPostgresError {
  override readonly name = 'DataDirInUseError';

  constructor(dataDir: string, holder: { label: string; pid: number } | null) {
    const holderText = holder ? `Another Semana (${holder.label}, process ${holder.pid})` : 'Another Semana';
    super(`${holderText} is already using ${dataDir}. Stop it first, or set DATA_DIR to another directory.`);
  }
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

export function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const BAR_WIDTH = 30;
const REDRAW_INTERVAL_MS = 100;
const CLEAR_LINE = '\r\x1b[K';

export class ProgressBar {
  readonly #label: string;
  #drawnAtMs = 0;

  constructor(label: string) {
    this.#label = label;
  }

  /** `completedShare` is from 0 to 1. `note` is printed after the bar. */
  show(completedShare: number, note = ''): void {
    const filledWidth = Math.round(BAR_WIDTH * Math.min(1, completedShare));
    const bar = `${'█'.repeat(filledWidth)}${'░'.repeat(BAR_WIDTH - filledWidth)}`;
    this.showNote(`${bar} ${Math.floor(completedShare * 100)}% ${note}`);
  }

  /** Prints a note without a bar, for work whose total is unknown. */
  showNote(note: string): void {
    const nowMs = performance.now();
    if (!process.stderr.isTTY || nowMs - this.#drawnAtMs < REDRAW_INTERVAL_MS) return;
    this.#drawnAtMs = nowMs;
    process.stderr.write(`${CLEAR_LINE}${this.#label} ${note}`);
  }

  clear(): void {
    if (process.stderr.isTTY && this.#drawnAtMs > 0) process.stderr.write(CLEAR_LINE);
    this.#drawnAtMs = 0;
  }
}

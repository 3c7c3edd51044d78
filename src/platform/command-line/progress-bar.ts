const BAR_WIDTH = 30;
const REDRAW_INTERVAL_MS = 100;
const CLEAR_LINE = '\r\x1b[K';

export class ProgressBar {
  readonly #label: string;
  #drawnAtMs = 0;

  constructor(label: string) {
    this.#label = label;
  }

  /** `completedShare` is from 0 to 1, or undefined if the total is unknown. `note` is printed after the bar. */
  show(completedShare: number | undefined, note: string): void {
    const nowMs = performance.now();
    if (!process.stderr.isTTY || nowMs - this.#drawnAtMs < REDRAW_INTERVAL_MS) return;
    this.#drawnAtMs = nowMs;
    const filledWidth = Math.round(BAR_WIDTH * Math.min(1, completedShare ?? 0));
    const bar =
      completedShare === undefined
        ? ''
        : `${'█'.repeat(filledWidth)}${'░'.repeat(BAR_WIDTH - filledWidth)} ${Math.floor(completedShare * 100)}% `;
    process.stderr.write(`${CLEAR_LINE}${this.#label} ${bar}${note}`);
  }

  clear(): void {
    if (process.stderr.isTTY && this.#drawnAtMs > 0) process.stderr.write(CLEAR_LINE);
    this.#drawnAtMs = 0;
  }
}

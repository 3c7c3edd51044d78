const WIDTH = 30;
const REDRAW_MS = 100;

export class ProgressBar {
  readonly #label: string;
  #drawnAtMs = 0;

  constructor(label: string) {
    this.#label = label;
  }

  /** `share` is from 0 to 1, or undefined if the total is unknown. `note` is printed after the bar. */
  show(share: number | undefined, note: string): void {
    const nowMs = performance.now();
    if (!process.stderr.isTTY || nowMs - this.#drawnAtMs < REDRAW_MS) return;
    this.#drawnAtMs = nowMs;
    const filled = Math.round(WIDTH * Math.min(1, share ?? 0));
    const bar =
      share === undefined
        ? ''
        : `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${Math.floor(share * 100)}% `;
    process.stderr.write(`\r\x1b[K${this.#label} ${bar}${note}`);
  }

  clear(): void {
    if (process.stderr.isTTY && this.#drawnAtMs > 0) process.stderr.write('\r\x1b[K');
    this.#drawnAtMs = 0;
  }
}

const WIDTH = 30;
const REDRAW_MS = 100;

/** A bar on standard error while a person watches; nothing where nobody does. */
export class ProgressBar {
  readonly #label: string;
  readonly #stream: NodeJS.WriteStream;
  #drawnAtMs = 0;

  constructor(label: string, stream: NodeJS.WriteStream = process.stderr) {
    this.#label = label;
    this.#stream = stream;
  }

  /** `share` from 0 to 1, or undefined when the end is not known; `note` stands behind the bar. */
  show(share: number | undefined, note: string): void {
    const nowMs = performance.now();
    if (!this.#stream.isTTY || nowMs - this.#drawnAtMs < REDRAW_MS) return;
    this.#drawnAtMs = nowMs;
    const filled = Math.round(WIDTH * Math.min(1, share ?? 0));
    const bar =
      share === undefined
        ? ''
        : `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${Math.floor(share * 100)}% `;
    this.#stream.write(`\r\x1b[K${this.#label} ${bar}${note}`);
  }

  /** Takes the bar away, so that a line can be printed or the result told. */
  clear(): void {
    if (this.#stream.isTTY && this.#drawnAtMs > 0) this.#stream.write('\r\x1b[K');
    this.#drawnAtMs = 0;
  }
}

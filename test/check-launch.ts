import { chromium } from 'playwright-core';
import { endAndCountCpu, startCountingDescendants } from './cpu.ts';

/** A Chromium that Playwright can launch, with the environment variables it needs. `source` says where it is from, for error messages. */
export type PreparedBrowser = { executablePath: string; env: Record<string, string>; source: string };

/** Long, because the first launch builds the font cache, and machines may be busy. */
const TIMEOUT_MS = 60_000;

/** Playwright's own flags already disable background requests to Google. These also disable features that look up DNS names. */
export const CHROMIUM_FLAGS = ['--no-sandbox', '--disable-quic', '--disable-sync', '--dns-prefetch-disable'];

export function launchChromium(
  { executablePath, env }: PreparedBrowser,
  args: string[] = [],
  logger?: object,
) {
  startCountingDescendants();
  return chromium.launch({
    executablePath,
    env: { ...(process.env as Record<string, string>), ...env },
    args: [...CHROMIUM_FLAGS, ...args],
    timeout: TIMEOUT_MS,
    ...(logger && { logger: logger as never }),
  });
}

/** Launches the browser and renders text with it. Returns why it cannot be used, or undefined. */
export async function checkLaunch(browser: PreparedBrowser): Promise<string | undefined> {
  try {
    const launchedBrowser = await launchChromium(browser);
    try {
      const page = await launchedBrowser.newPage();
      await page.setContent('<p style="display: inline-block">Semana</p>', { timeout: TIMEOUT_MS });
      const box = await page.locator('p').boundingBox({ timeout: TIMEOUT_MS });
      return box && box.width > 0 ? undefined : 'it renders no text';
    } finally {
      await endAndCountCpu(() => launchedBrowser.close());
    }
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    return lines.find((line) => /error while loading|cannot open shared|font/i.test(line)) ?? lines[0];
  }
}

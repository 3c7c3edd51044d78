import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns advice with the command that installs a browser on this system. `root` is the root of its file system. */
export function adviseInstallation({
  platform,
  isRoot,
  root,
}: {
  platform: string;
  isRoot: boolean;
  root: string;
}): string {
  const sudo = isRoot ? '' : 'sudo ';
  const command =
    platform === 'darwin' ? 'brew install --cask google-chrome' : findLinuxCommand(readOsIds(root), sudo);
  return command
    ? `Install one: ${command}`
    : 'Install Chromium or Chrome, or set CHROME_PATH to the program of one.';
}

function findLinuxCommand(ids: string[], sudo: string): string | undefined {
  const commands: Record<string, string> = {
    // Ubuntu's chromium is a snap, which does not run in containers.
    ubuntu: 'npx playwright-core install --with-deps chromium-headless-shell',
    debian: `${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends chromium fonts-liberation`,
    fedora: `${sudo}dnf install -y chromium`,
    rhel: `${sudo}dnf install -y epel-release && ${sudo}dnf install -y chromium`,
    alpine: `${sudo}apk add chromium font-liberation`,
    arch: `${sudo}pacman -S --noconfirm chromium ttf-liberation`,
    suse: `${sudo}zypper install -y chromium`,
  };
  const knownId = ids.find((id) => Object.hasOwn(commands, id));
  return knownId === undefined ? undefined : commands[knownId];
}

/** Reads ID and ID_LIKE of /etc/os-release: 'linuxmint', 'ubuntu', 'debian'. */
function readOsIds(root: string): string[] {
  const file = join(root, 'etc/os-release');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return ['ID', 'ID_LIKE'].flatMap((name) => {
    const value = new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(text)?.[1] ?? '';
    return value.split(' ').filter((id) => id !== '');
  });
}

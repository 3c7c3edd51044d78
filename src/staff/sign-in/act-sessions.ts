import type { StaffPrincipal } from '#partners';
import { randomBase62 } from '#platform/ids.ts';
import { defineService } from '#platform/service.ts';

/**
 * Credentials with which this process repeats a stored request of a staff user. They exist in memory only and only while the request
 * runs, so no caller can have one.
 */
export class ActSessions {
  readonly #principals = new Map<string, StaffPrincipal>();

  find(token: string): StaffPrincipal | undefined {
    return this.#principals.get(token);
  }

  async run<T>(principal: StaffPrincipal, work: (token: string) => Promise<T>): Promise<T> {
    const token = `semana_act_${randomBase62(43)}`;
    this.#principals.set(token, principal);
    try {
      return await work(token);
    } finally {
      this.#principals.delete(token);
    }
  }
}

export const actSessions = defineService<ActSessions>('act sessions');

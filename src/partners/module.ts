import { defineModule } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { allowAnyOrigin, respondToPreflight } from './cors.ts';
import { createApiKeyGuard, createSyncApiKeyGuard } from './guard.ts';
import * as endpoints from './http/admin-partners.ts';
import { createKeyUseRecorder, Keyring, keyValidator } from './keyring.ts';
import { partnerProblems, roleMissing } from './problems.ts';
import { RateLimiter } from './rate-limiter.ts';
import { merchantIdLookup, merchantSlugLookup, staffSessionFinder } from './services.ts';

export const partnersModule = defineModule({
  name: 'partners',
  tags: {
    staff: [
      {
        name: 'Partners',
        paths: ['/admin/keys', '/admin/partners'],
        description: 'Partners that call the API, and their keys.',
      },
    ],
  },
  guardProblems: { key: partnerProblems, role: [roleMissing] },
  open(deps) {
    const { db, clock, config, metrics, findService, provideService } = deps;
    const merchantLookups = {
      findMerchantId: findService(merchantIdLookup),
      findMerchantSlugs: findService(merchantSlugLookup),
    };
    const endpointDeps = { db, clock, mode: config.mode, ...merchantLookups };
    const keyring = new Keyring(deps);
    provideService(keyValidator, keyring);
    const keyUseRecorder = createKeyUseRecorder(deps);
    return {
      guard: createApiKeyGuard({
        keyring,
        limiter: new RateLimiter(db),
        keyUseRecorder,
        clock,
        metrics,
        getStaffSessionFinder: () => findService(staffSessionFinder),
      }),
      apiServer: {
        guardSync: createSyncApiKeyGuard({ keyring, keyUseRecorder, clock }),
        preflight: respondToPreflight,
        allowAnyOrigin,
      },
      ...buildEndpoints(endpoints, endpointDeps),
      start: () => keyring.waitUntilCurrent(),
      stop: () => keyUseRecorder.stop(),
    };
  },
});

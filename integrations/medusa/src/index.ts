import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { SemanaPaymentProvider } from './provider';

export type { SemanaOptions } from './options';
export default ModuleProvider(Modules.PAYMENT, { services: [SemanaPaymentProvider] });

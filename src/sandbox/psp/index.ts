export { pspSimulatorEndpoints } from './endpoints.ts';
export { CALM, type Faults } from './faults.ts';
export { pspSimulatorProblems } from './problems.ts';
export {
  createPspSimulator,
  type PspSimulator,
  type PspSimulatorOptions,
  SANDBOX_PSP_CLIENT,
  startPspSimulator,
} from './simulator.ts';

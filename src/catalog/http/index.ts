export * from './admin-content.ts';
export * from './admin-import.ts';
export * from './admin-media.ts';
export * from './admin-merchants.ts';
export * from './leads.ts';
export * from './public-content.ts';
export * from './public-merchants.ts';

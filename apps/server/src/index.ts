export { type AccessPolicy, isLoopback } from './access-policy.js';
export { type RunningServer, type ServerOptions, startServer } from './start-server.js';

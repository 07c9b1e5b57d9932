export { type RunningServer, type ServerOptions, startServer } from './start-server.js';
export { type RunningWorker, startWorker } from './start-worker.js';

/**
 * Switches off the telemetry that ONNX Runtime has from 1.29 on: it keeps an id of the device in the user's cache folder
 * and reports sessions and models to its maker. The runtime reads the variable once, from the environment of the process,
 * when it is loaded; a worker thread's environment is a copy, so this has to be called on the main thread before.
 */
export function silenceTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}

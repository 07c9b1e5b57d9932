/**
 * Switches off the telemetry of ONNX Runtime 1.29 and later: it stores a device id in the user's cache folder and
 * reports sessions and models to its maker. The runtime reads the variable once, from the environment of the process,
 * when it is loaded. A worker thread's environment is a copy, so this must be called on the main thread first.
 */
export function silenceTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}

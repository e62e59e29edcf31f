import type { NestExpressApplication } from '@nestjs/platform-express';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

export interface Route {
  method: string;
  /** Parameters are written as `:name`. */
  path: string;
}

/** Every route that is registered in the running app's router. */
export function routesOf(app: NestExpressApplication): Route[] {
  const { stack } = app.getHttpAdapter().getInstance().router as unknown as { stack: Layer[] };
  const routes = stack.flatMap(({ route }) =>
    route
      ? Object.keys(route.methods).map((method) => ({ method: method.toUpperCase(), path: route.path }))
      : [],
  );
  const once = new Map(routes.map((route) => [`${route.method} ${route.path}`, route])); // middleware is listed again
  return [...once.values()];
}

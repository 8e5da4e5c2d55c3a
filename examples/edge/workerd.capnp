# Serves dist/handler.mjs by workerd. From dates after September 2024 on it has modules of Node; this function needs none.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .handler)],
  sockets = [(name = "http", address = "localhost:8787", http = (), service = "main")],
);

const handler :Workerd.Worker = (
  modules = [(name = "handler.mjs", esModule = embed "dist/handler.mjs")],
  compatibilityDate = "2024-09-01",
);

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace semirec::seat {

/// What a server is asked for and told; called on its thread.
struct SeatHandlers {
  std::function<std::string()> page;   ///< HTML of the page
  std::function<std::string()> hello;  ///< JSON object for one who has come in
  /// A message of the driver, text as it came; returns a JSON object for everybody, or nothing.
  std::function<std::string(const std::string& message)> driver_said;
  /// The newest moment as numbers; false: none since the last call.
  std::function<bool(std::vector<float>& numbers)> take_frame;
  /// A JSON object for everybody that has come up meanwhile, or nothing; asked before each frame.
  std::function<std::string()> news{};
};

struct SeatServerSettings {
  int port = 0;             ///< 0: one that is free
  int frame_interval = 20;  ///< ms
  int most_clients = 16;    ///< at once
};

/// HTTP and WebSocket on 127.0.0.1 for one driver and those who look on.
///
/// GET /?token=TOKEN gives the page, a WebSocket at /socket?token=TOKEN the drive: `hello` first,
/// then frames as binary messages of little-endian float32 and notices as text. The first client
/// that says {"type":"drive"} has the wheel until it leaves; the others' messages are not heard.
/// Refused, each with a status of HTTP and no more: another token, a Host that is not
/// 127.0.0.1:PORT or localhost:PORT (a page elsewhere that had its name resolve to here), an Origin
/// other than those (a page elsewhere), any other path or method, a request of more than 8 KiB, a
/// message of more than 4 KiB. A client that is slow misses frames; nobody waits for it.
///
/// Runs on a thread of its own from the constructor to the destructor. Throws ModelError when the
/// port cannot be had.
class SeatServer {
 public:
  SeatServer(const SeatServerSettings& settings, SeatHandlers handlers);
  ~SeatServer();
  SeatServer(const SeatServer&) = delete;
  SeatServer& operator=(const SeatServer&) = delete;

  int port() const;
  const std::string& token() const;
  /// http://127.0.0.1:PORT/?token=TOKEN
  std::string url() const;

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace semirec::seat
